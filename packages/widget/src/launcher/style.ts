/** The chat's place in the page, and its button. Nothing of the page's style comes in but its `--colloquy-…`. */
export const LAUNCHER_STYLE = `
:host {
  all: initial !important;
  display: block !important;
  position: fixed !important;
  z-index: var(--colloquy-layer,2147483000) !important;
  bottom: 20px !important;
  inset-inline: auto 20px !important;
  color-scheme: light dark !important;
  font: var(--colloquy-font-size,15px)/1.45 var(--colloquy-font,system-ui) !important;
  --accent: var(--colloquy-accent,#3145c9);
  --on-accent: var(--colloquy-on-accent,#fff);
}
:host([side=start]) { inset-inline: 20px auto !important; }
:host([theme=light]) { color-scheme: light !important; }
:host([theme=dark]) { color-scheme: dark !important; }
:host([layout=inside]) { position: relative !important; inset: auto !important; z-index: 0 !important; height: 100% !important; }
* { box-sizing: border-box; }
[hidden], :empty.count { display: none !important; }
button { all: unset; box-sizing: border-box; cursor: pointer; }
.launcher {
  display: block;
  padding: 14px;
  border-radius: 50%;
  color: var(--on-accent);
  background: var(--accent);
  box-shadow: 0 4px 20px #0004;
}
button:focus-visible { outline: 3px solid var(--on-accent); box-shadow: 0 0 0 6px var(--accent); }
.launcher::before { content: ''; display: block; width: 24px; height: 24px; border: 2px solid; border-radius: 50% 50% 50% 4px; }
[aria-expanded=true]::before { border-width: 0 3px 3px 0; border-radius: 0; rotate: 45deg; scale: .6; translate: 0 -4px; }
[aria-busy]::before { scale: .6; }
.count { position: absolute; inset: -4px -4px auto auto; padding: 0 8px; border-radius: 20px; font-size: 13px; color: #fff; background: #b3261e; }
@media (forced-colors: active) { .launcher, .count { border: 1px solid; } }
`
