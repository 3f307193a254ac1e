/** Colours of a diagram, for light and dark screens and for paper; all selectors begin at the diagram, so pages keep their own. */

const root = '.fencepost-diagram'

const light = {
  paper: '#ffffff',
  ink: '#1c2430',
  soft: '#5b6675',
  faint: '#a3acb8',
  line: '#c3cad3',
  head: '#eef2f7',
  panel: '#f7f9fb',
  stripe: '#fff6dc',
  number: '#8a6100',
  arrow: '#24569e',
  late: '#b35900',
  bad: '#b3261e',
  chip: '#e6eefb',
  committed: '#dcf1e1',
  aborted: '#f7dede',
  open: '#fdeecb',
  marker: '#dfe3ea',
}

const dark: typeof light = {
  paper: '#11161d',
  ink: '#e4e9f0',
  soft: '#a2adbb',
  faint: '#66717f',
  line: '#3a4552',
  head: '#1d2631',
  panel: '#171e27',
  stripe: '#2b2718',
  number: '#e0b252',
  arrow: '#7fb0f5',
  late: '#f0a04b',
  bad: '#ff8a80',
  chip: '#1c2b42',
  committed: '#193a25',
  aborted: '#472223',
  open: '#453715',
  marker: '#2c3541',
}

const variables = (colours: typeof light): string =>
  Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

const rules: Readonly<Record<string, string>> = {
  text: "font-family:Helvetica,Arial,'Liberation Sans',sans-serif;fill:var(--ink)",
  '.paper': 'fill:var(--paper)',
  '.halo': 'stroke:var(--paper);stroke-width:3;stroke-linejoin:round;paint-order:stroke',
  '.halo.striped': 'stroke:var(--stripe)',
  '.title': 'font-weight:bold',
  '.head': 'font-weight:bold',
  '.subtitle,.group,.silent,.legend,.log': 'fill:var(--soft)',
  '.number': 'fill:var(--soft)',
  '.number.matters': 'fill:var(--number);font-weight:bold',
  '.failed': 'fill:var(--bad)',
  '.muted': 'fill:var(--faint)',
  '.box': 'fill:var(--head);stroke:var(--line)',
  '.frame': 'fill:none;stroke:var(--line);stroke-dasharray:3 3',
  '.panel': 'fill:var(--panel);stroke:var(--line)',
  '.stripe': 'fill:var(--stripe)',
  '.chip': 'fill:var(--chip)',
  '.lifeline': 'stroke:var(--line);stroke-width:1.5',
  '.down': 'fill:var(--aborted);stroke:var(--bad)',
  '.paused': 'fill:var(--open);stroke:var(--late)',
  '.hatch': 'stroke:var(--bad);stroke-width:1',
  '.arrow': 'fill:none;stroke:var(--arrow);stroke-width:1.5',
  '.arrow.late': 'stroke:var(--late);stroke-dasharray:6 3',
  '.arrow.again': 'stroke-dasharray:2 2',
  '.arrow.copy': 'stroke-width:4;stroke-opacity:.45',
  '.arrow.flying': 'stroke-dasharray:6 3',
  '.arrow.lost': 'stroke:var(--bad)',
  '.arrow.faded,.mark.faded': 'opacity:.45',
  '.tip': 'fill:var(--arrow)',
  '.tip.late': 'fill:var(--late)',
  '.tip.faded': 'opacity:.45',
  '.cross': 'stroke:var(--bad);stroke-width:2.2;fill:none',
  '.mark': 'stroke:var(--ink);fill:var(--paper);stroke-width:1.5',
  '.mark.full': 'fill:var(--ink)',
  '.record': 'stroke:var(--line)',
  ...Object.fromEntries(
    ['committed', 'aborted', 'open', 'marker'].map((kind) => [`.record.${kind}`, `fill:var(--${kind})`]),
  ),
  '.record.plain': 'fill:var(--paper)',
  '.bound': 'stroke:var(--ink);stroke-width:1.5;stroke-dasharray:2 2',
  '.sight': 'stroke:var(--soft);fill:none',
  '.sight.seen': 'fill:var(--arrow);stroke:var(--arrow)',
  '.loop': 'fill:none;stroke:var(--bad);stroke-width:1.5',
}

export const styleSheet: string = [
  `${root}{${variables(light)}}`,
  `@media screen and (prefers-color-scheme:dark){${root}{${variables(dark)}}}`,
  ...Object.entries(rules).map(([selector, style]) => {
    const within = selector.split(',').map((one) => `${root} ${one}`)
    return `${within.join(',')}{${style}}`
  }),
].join('\n')
