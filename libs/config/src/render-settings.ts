import type { Setting, Settings } from './setting';

/** @returns a Markdown table of settings, one row each in the order given: variable, meaning, values, default */
export function renderSettings(settings: Settings): string {
  const rows = Object.entries(settings).map(([name, setting]) =>
    renderRow([`\`${name}\``, setting.about, setting.form, renderDefault(setting)]),
  );
  return [renderRow(['variable', 'what for', 'value', 'default']), renderRow(Array(4).fill('---')), ...rows].join('\n');
}

function renderRow(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function renderDefault({ shownDefault, isRequired }: Setting<unknown>): string {
  if (shownDefault !== undefined) return `\`${shownDefault}\``;
  return isRequired ? 'required' : '';
}
