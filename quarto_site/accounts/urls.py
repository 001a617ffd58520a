from django.urls import path

from quarto_site.accounts import api, bans, views

urlpatterns = [
    path("accounts/", views.account, name="account"),
    path("accounts/sign-up/", views.SignUpPage.as_view(), name="sign_up"),
    path("accounts/sign-in/", views.SignInPage.as_view(), name="sign_in"),
    path("accounts/sign-out/", views.sign_out, name="sign_out"),
    path("accounts/password/", views.PasswordPage.as_view(), name="password_change"),
    path("accounts/ban/<str:username>/", bans.ban, name="ban"),
    path("accounts/unban/<str:username>/", bans.unban, name="unban"),
    path("accounts/tokens/", views.make_token, name="token_make"),
    path("accounts/tokens/<slug:token_key>/revoke/", views.revoke_token, name="token_revoke"),
]

api_urlpatterns = [
    path("accounts/", api.Accounts.as_view(), name="api_accounts"),
    path("tokens/", api.Tokens.as_view(), name="api_tokens"),
    path("tokens/<slug:token_key>/", api.OneToken.as_view(), name="api_token"),
]
