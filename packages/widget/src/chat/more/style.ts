/** Styles of the parts that are loaded on their first use. */
export const MORE_STYLE = `
.choices {
  position: absolute;
  z-index: 1;
  inset-block-start: 56px;
  inset-inline-end: 12px;
  display: grid;
  min-width: 200px;
  padding: 4px;
  background: var(--back);
  border: 1px solid var(--line);
  border-radius: 12px;
  box-shadow: 0 4px 20px #0003;
}
header .round:first-child { margin-inline-start: -8px; }
.item { min-height: 40px; padding: 8px 12px; border: 0; border-radius: 8px; }
[dir='rtl'] .icon.back { scale: -1 1; }
.beside { display: grid; gap: 8px; max-width: 100%; }
.bubble + .beside { margin-block-start: 8px; }
.beside:empty { display: none; }
.card-link { max-width: 100%; border-radius: 12px; color: inherit; text-decoration: none; }
.card { display: grid; width: 264px; max-width: 100%; overflow: hidden; border: 1px solid var(--line); border-radius: 12px; }
.card > img { width: 100%; max-height: 200px; object-fit: cover; background: var(--soft); }
.card strong { margin: 8px 12px; font-weight: 600; }
.card .action { margin: -4px 12px 8px; color: var(--link); }
.card-link:hover .card { background: var(--soft); }
.call { text-decoration: none; }
.call .button { display: flex; align-items: center; gap: 8px; }
.call .icon { width: 16px; height: 16px; }
.consent { flex: 1; display: flex; flex-direction: column; min-height: 0; }
.consent * + p { margin-block-start: 12px; }
.consent .main { text-align: center; }
.stars { display: flex; margin: -8px; }
.stars .icon { scale: 1.3; }
.given { color: var(--link); }
.given .icon { fill: currentcolor; }
.comment { display: flex; align-items: center; gap: 8px; }
.empty { color: var(--muted); }
.past { display: grid; width: 100%; padding: 12px; text-align: start; }
.past:hover { background: var(--soft); }
.past strong { overflow: hidden; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
.past span { color: var(--muted); font-size: 13px; }
.pasts { margin: -8px -12px 16px; }
`
