import type { Appearance } from '@moothall/contracts';

/** The style sheet of all pages: system fonts, light and dark, from a phone to a wide screen. */
export const style = `
:root { color-scheme: light dark; --accent: light-dark(#2f5d50, #8fc7b5); --line: light-dark(#c9cfcc, #3d4743); --field: light-dark(#fff, #0d100f);
  --dim: light-dark(#55605c, #a3aeaa); --grave: light-dark(#a3241c, #ff9087); }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f6f7f6, #141816); color: light-dark(#1d2422, #e6ebe9); }
body > header { padding: .75rem 1rem; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .5rem 1.25rem; align-items: center; }
header > strong { font-size: 1.1rem; margin-right: auto; overflow-wrap: normal; } header a { color: inherit; text-decoration: none; white-space: nowrap; }
header > strong a { color: var(--accent); } a[name] { color: inherit; text-decoration: none; } a[name]:hover { text-decoration: underline; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: .5rem; background: var(--field); padding: .25rem .75rem; z-index: 2; }
header > details { position: relative; } summary { cursor: pointer; }
header nav { position: absolute; right: 0; top: 2rem; width: min(16rem, 85vw); padding: .75rem 1rem; display: grid; gap: .75rem; z-index: 1;
  background: var(--field); border: 1px solid var(--line); border-radius: .3rem; }
header form { margin: 0; } header button { margin: 0; padding: .25rem .75rem; }
main { max-width: 34rem; margin: 1.5rem auto; padding: 0 1rem 3rem; } main.wide { max-width: 72rem; }
.banners p { margin: 0; padding: .5rem 1rem; border-bottom: 1px solid var(--line); background: light-dark(#fff3c9, #3b331a); }
footer { padding: .75rem 1rem; border-top: 1px solid var(--line); }
h1 { font-size: 1.5rem; line-height: 1.2; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1.05rem; } h4, h5, h6 { font-size: 1rem; }
a { color: var(--accent); }
label { display: block; margin-top: 1rem; font-weight: 600; }
input, textarea, select { width: 100%; padding: .6rem; font: inherit; border: 1px solid #7d8883; border-radius: .3rem; background: var(--field); color: inherit; }
input[type=checkbox] { width: auto; flex: none; margin: 0 .6rem 0 0; }
label:has(input[type=checkbox]) { display: flex; align-items: baseline; font-weight: 400; }
fieldset { border: 1px solid var(--line); border-radius: .3rem; margin: 1rem 0 0; }
fieldset label { margin-top: .25rem; }
button { margin: 1.25rem .5rem 0 0; padding: .6rem 1.1rem; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: .3rem; background: var(--accent); color: light-dark(#fff, #0d100f); cursor: pointer; }
button.quiet { background: none; color: var(--accent); }
button.grave { background: var(--grave); border-color: var(--grave); }
.grave-scope { padding: .25rem .75rem; margin: .25rem 0; border-left: .3rem solid var(--grave); background: light-dark(#fbeae8, #2b1715); }
.grave-scope strong { color: var(--grave); }
fieldset, pre { min-width: 0; } pre { white-space: pre-wrap; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .3rem; font-size: .875rem; } img { max-width: 100%; }
summary.quiet { display: inline-block; margin-top: .75rem; padding: .35rem .9rem; font-weight: 600; border: 1px solid var(--line); border-radius: .3rem; }
:focus-visible { outline: 3px solid light-dark(#d98e04, #ffc457); outline-offset: 2px; }
.notice { padding: .75rem 1rem; border: 1px solid var(--accent); border-left-width: .4rem; border-radius: .3rem; }
.problem { border-color: var(--grave); }
form > input, form > textarea, form > select { display: block; } legend { font-weight: 600; }
.hint { margin: 0; color: var(--dim); font-size: .875rem; } .wrong { margin: 0; font-weight: 600; color: var(--grave); } [aria-invalid=true] { border: 2px solid var(--grave); }
main.wide input:not([type=checkbox]), main.wide textarea, main.wide select, main.wide fieldset { max-width: 46rem; } fieldset:has(label:nth-of-type(9)) { max-height: 18rem; overflow-y: auto; }
.record { border: 1px solid var(--line); border-radius: .3rem; padding: .75rem 1rem; margin-top: 1rem; }
.record h2 { margin: 0; } .record h3 { margin: 0; font-size: 1rem; } .record p, .record ul { margin: .25rem 0; }
code { overflow-wrap: anywhere; }
.qr svg { width: 12rem; height: 12rem; background: #fff; }
.dim { color: var(--dim); } .list { list-style: none; padding: 0; } .list > li { border-top: 1px solid var(--line); padding: .6rem 0; } .list p { margin: 0; } .files > li { padding: .25rem 0; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0; padding: 0; list-style: none; }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem; border: 1px solid var(--line); } table { border-collapse: collapse; } [align=center] { text-align: center; } [align=right] { text-align: right; }
.prose { border: 1px solid var(--line); border-radius: .3rem; padding: 0 1rem; } .prose h2 { font-size: 1.35rem; } .prose h3 { font-size: 1.2rem; } .prose h4 { font-size: 1.1rem; }
.pages, .parts { align-items: baseline; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; } .parts { margin: .75rem 0; } .parts button { margin: 0; padding: .35rem .9rem; } .parts form { margin: 0; }
@media (max-width: 40rem) { main > .parts { flex-wrap: nowrap; overflow-x: auto; padding: .35rem; } main > .parts > * { flex: none; } }
search form { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: center; } search label { flex-basis: 100%; } search input { flex: 1 1 12rem; width: auto; max-width: 30rem; } search button { margin: 0; }
.tag.after { margin-left: .5rem; }
.code { overflow-x: auto; border: 1px solid var(--line); border-radius: .3rem; font-size: .875rem; }
.code pre { margin: 0; padding: .5rem 0; border: 0; white-space: pre; width: max-content; min-width: 100%; overflow-wrap: normal; }
.code pre > span { display: block; padding: 0 1rem; } .code span:target { background: light-dark(#fff3c9, #3b331a); }
.code pre > span > a, .code i { display: inline-block; min-width: 3ch; margin-right: 1rem; text-align: right; font-style: normal; color: var(--dim); text-decoration: none; user-select: none; }
.code .add { background: light-dark(#e0f3e4, #16301d); } .code .del { background: light-dark(#fbe6e4, #391d1b); } .code .hunk { color: var(--dim); }
.thread { border: 1px solid var(--line); border-radius: .3rem; margin: .75rem 0; padding: 0 1rem; } .thread article + article { border-top: 1px solid var(--line); }
.thread > details, .thread > form { margin-bottom: .75rem; } .thread .system { font-size: .875rem; } .thread article p { margin: .5rem 0; } .parts [aria-current=true] { font-weight: 600; }
.burndown { margin: 1rem 0; } .burndown svg { display: block; max-width: 40rem; } .burndown path { fill: none; stroke: var(--accent); stroke-width: 2; }
.burndown .axes { stroke: var(--line); } .burndown .guide { stroke: var(--dim); stroke-dasharray: 6; }
.board { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 1.5rem; } .board h2 { font-size: 1rem; }
.file h2 { font-size: 1rem; margin-bottom: 0; }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--dim); }
.hljs-keyword, .hljs-literal, .hljs-selector-tag, .hljs-type, .hljs-section, .hljs-name { color: light-dark(#8a2a6b, #e7a1cf); }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-symbol, .hljs-bullet { color: light-dark(#2f5d50, #8fc7b5); }
.hljs-number, .hljs-attr, .hljs-attribute, .hljs-variable, .hljs-template-variable { color: light-dark(#8a4b00, #efbb7c); }
.hljs-title, .hljs-built_in, .hljs-link, .hljs-selector-id, .hljs-selector-class { color: light-dark(#1d4f9c, #9dbff5); }
.hljs-deletion { color: var(--grave); } .hljs-strong { font-weight: 600; } .hljs-emphasis { font-style: italic; }
`;

/** Colours were validated when they were set. */
export function messageStyle(appearance: Appearance | undefined): string {
  if (!appearance) return '';
  const { message_background_color: background, message_font_color: font } = appearance;
  return `.message { margin: 0; padding: .5rem 1rem; text-align: center; background: ${background}; color: ${font}; }
.instance { font-size: 1.5rem; font-weight: 600; } .logo { max-width: 100%; max-height: 8rem; }
`;
}
