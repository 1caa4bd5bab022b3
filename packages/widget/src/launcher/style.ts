/** The chat's place in the page, and its button. Nothing of the page's style comes in but its `--colloquy-…`. */
export const LAUNCHER_STYLE = `
:host {
  all: initial !important;
  display: block !important;
  position: fixed !important;
  z-index: var(--colloquy-layer, 2147483000) !important;
  inset: auto 20px 20px auto !important;
  inset-inline: auto 20px !important;
  color-scheme: light dark !important;
  font: var(--colloquy-font-size, 15px)/1.45 var(--colloquy-font, system-ui, sans-serif) !important;
  --accent: var(--colloquy-accent, #3145c9);
  --on-accent: var(--colloquy-on-accent, #fff);
}
:host([side='start']) { inset-inline: 20px auto !important; }
:host([theme='light']) { color-scheme: light !important; }
:host([theme='dark']) { color-scheme: dark !important; }
:host([layout='inside']) { position: relative !important; inset: auto !important; z-index: 0 !important; height: 100% !important; }
* { box-sizing: border-box; }
.launcher {
  all: unset;
  display: block;
  padding: 14px;
  border-radius: 50%;
  cursor: pointer;
  color: var(--on-accent);
  background: var(--accent);
  box-shadow: 0 4px 20px #0004;
}
.launcher:focus-visible { outline: 3px solid var(--on-accent); box-shadow: 0 0 0 6px var(--accent); }
.launcher svg { display: block; width: 28px; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linejoin: round; }
.launcher[aria-busy] svg { animation: wait .6s infinite alternate; }
@keyframes wait { to { opacity: .3; } }
.count, .trouble { position: absolute; inset: -4px -4px auto auto; padding: 0 8px; border-radius: 12px; font-size: 13px; color: #fff; background: #b3261e; }
.trouble { inset: auto 0 68px auto; width: max-content; max-width: 240px; padding: 8px 12px; }
:host([side='start']) .trouble { inset-inline: 0 auto; }
:is(.count, .trouble):empty { display: none; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }
@media (forced-colors: active) { .launcher, .count, .trouble { border: 1px solid; } }
@media print { :host { display: none !important; } }
`
