/** Without a framework: the look of the product's pages, system fonts. */
const style = `
:root { color-scheme: light; --paper: #f8f5ee; --surface: #fff; --ink: #16211f; --muted: #51605d; --jade: #0f5a54; --jade-hover: #0b4742;
  --on-jade: #fff; --deep: #0a3635; --cream: #f6f2e9; --brick: #a63b20; --brick-soft: #f8e1da; --focus: #b4530a; --control: #7a857f;
  --line: #d5cfc1; --amber: #8a4a00; --amber-soft: #fbecd5; --serif: 'Source Serif 4', Georgia, serif; --sans: 'Source Sans 3', system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; --paper: #111917; --surface: #182320; --ink: #edf2ef; --muted: #a9b8b3;
  --jade: #1b6e66; --jade-hover: #1f7a71; --deep: #0a2b2a; --brick: #f0a28f; --brick-soft: #40221b; --focus: #f5a65b; --control: #6f827c;
  --line: #33423d; --amber: #f3c27e; --amber-soft: #3b2c14; } }
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.5 var(--sans); }
header { background: var(--deep); color: var(--cream); padding: 14px max(16px, 50% - 304px); font: 600 20px var(--serif); }
main { max-width: 640px; margin: 0 auto; padding: 24px 16px 48px; text-wrap: pretty; }
h1, h2 { font-family: var(--serif); font-weight: 600; line-height: 1.2; margin: 0 0 12px; overflow-wrap: anywhere; }
h1 { font-size: 28px; } h2 { font-size: 20px; margin-top: 24px; } p { margin: 0 0 12px; }
h1:focus { outline: none; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.origin { display: block; font-size: 22px; font-weight: 700; overflow-wrap: anywhere; margin: 0 0 16px; padding: 12px 16px;
  background: var(--surface); border: 2px solid var(--jade); border-radius: 10px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; margin: 0 0 16px; }
.warning, .notice { border-radius: 10px; padding: 12px 16px; margin: 0 0 16px; }
.warning { background: var(--amber-soft); color: var(--amber); } .notice { background: var(--brick-soft); color: var(--brick); }
.warning strong { display: block; font-size: 19px; }
dl { margin: 0; } dt { color: var(--muted); font-size: 15px; } dd { margin: 0 0 8px; overflow-wrap: anywhere; } dd:last-child { margin: 0; }
.hash { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; color: var(--muted); display: block; max-width: 32.5ch; }
.code { font: 600 40px/1.2 ui-monospace, monospace; letter-spacing: 0.06em; text-align: center; background: var(--surface); border: 2px solid var(--jade);
  border-radius: 10px; padding: 16px; white-space: nowrap; }
.small { color: var(--muted); font-size: 15px; } .card span { display: block; } main > p:last-child { margin-top: 24px; }
fieldset { border: 0; margin: 0; padding: 0; } legend { padding: 0; font-weight: 600; }
label { display: block; font-weight: 600; margin: 0 0 4px; }
.choice { display: grid; grid-template-columns: 28px 1fr; gap: 8px; align-items: start; font-weight: 400; cursor: pointer; }
.choice input { width: 20px; height: 20px; margin: 3px 0 0; accent-color: var(--jade); }
.choice strong, .choice span { display: block; overflow-wrap: anywhere; }
input[type='password'], input[type='file'] { width: 100%; min-height: 44px; padding: 8px 12px; margin: 0 0 12px; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--control); border-radius: 8px; }
.actions { display: flex; flex-wrap: wrap; gap: 12px; margin: 16px 0 0; }
button { min-height: 44px; padding: 8px 20px; font: 600 17px var(--sans); border-radius: 8px; border: 1px solid var(--control); background: var(--surface);
  color: var(--ink); cursor: pointer; }
button.main { background: var(--jade); border-color: var(--jade); color: var(--on-jade); } button.main:hover { background: var(--jade-hover); }
button:disabled { opacity: 0.6; cursor: default; }
@media (max-width: 420px) { .actions button { width: 100%; } }
`;

/**
 * Follows the session: a page that waits asks every second whether there is another one; forms are sent once; the heading has the focus, so
 * that screen readers say what changed.
 */
const script = `
'use strict';
const body = document.body;
document.querySelector('h1')?.focus();
document.addEventListener('submit', () => {
  setTimeout(() => document.querySelectorAll('button').forEach((button) => { button.disabled = true; }));
});
const follow = async () => {
  try {
    const answer = await fetch(location.pathname + '/phase', { cache: 'no-store' });
    const { page } = await answer.json();
    if (page !== body.dataset.page) return location.reload();
  } catch {
    // The program has ended; the page stays as it is.
  }
  setTimeout(follow, 1000);
};
if (body.dataset.page !== undefined) setTimeout(follow, 500);
`;

export interface Asset {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const assets: Record<string, Asset> = {
  '/window.css': { headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cross-Origin-Resource-Policy': 'same-origin' }, body: style },
  '/window.js': {
    headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cross-Origin-Resource-Policy': 'same-origin' },
    body: script,
  },
};

/** What is the same for every window and tells nothing. */
export function readAsset(path: string): Asset | null {
  return Object.hasOwn(assets, path) ? (assets[path] ?? null) : null;
}
