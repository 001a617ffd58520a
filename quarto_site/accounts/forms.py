"""The forms of the account pages. What may be a name or a password is the services' to say."""

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from quarto_site.accounts.services import PASSWORD_LONGEST, AccountError
from quarto_site.names import LONGEST

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def password_field(
    label: "StrOrPromise", autocomplete: str, help_text: "StrOrPromise" = ""
) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete, "maxlength": PASSWORD_LONGEST})
    return forms.CharField(label=label, strip=False, widget=widget, help_text=help_text)


def name_field(help_text: "StrOrPromise" = "") -> forms.CharField:
    attrs = {
        "autocomplete": "username",
        "maxlength": LONGEST,
        "autocapitalize": "none",
        "spellcheck": "false",
    }
    return forms.CharField(label=_("Name"), widget=forms.TextInput(attrs=attrs), help_text=help_text)


class AccountForm(forms.Form):
    """A form whose service may refuse after the fields themselves are in order."""

    def refuse(self, error: AccountError) -> None:
        """Shows the refusal beside the field that it is about."""
        self.add_error(error.field if error.field in self.fields else None, str(error))


class SignUpForm(AccountForm):
    username = name_field(_("2 to 32 letters, digits and . _ - : this is how others see you."))
    password = password_field(_("Password"), "new-password", _("At least 8 characters."))


class SignInForm(AccountForm):
    username = name_field()
    password = password_field(_("Password"), "current-password")


class PasswordForm(AccountForm):
    old_password = password_field(_("Present password"), "current-password")
    new_password = password_field(_("New password"), "new-password", _("At least 8 characters."))
