// The projector's page: what does not fit on one screen is shown in turn. Without this script everything is one long page.

const EACH_MS = 12000;

let turn = 0;

function show() {
  const parts = [...document.querySelectorAll("[data-turn]")];
  parts.forEach((part, index) => {
    part.hidden = index !== turn % parts.length;
  });
}

/** A long part is scrolled through before the next has its turn. */
function onward() {
  const bottom = document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
  if (bottom > 8) {
    window.scrollBy({ top: window.innerHeight * 0.8 });
  } else {
    turn += 1;
    show();
    window.scrollTo({ top: 0 });
  }
}

show();
setInterval(onward, EACH_MS);
document.addEventListener("htmx:afterSettle", show);
