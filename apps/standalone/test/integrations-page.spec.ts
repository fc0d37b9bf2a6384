import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type IntegrationKind, integrationKinds } from '@moothall/contracts';

const page = path.resolve(__dirname, '../../../docs/api/integrations.md');
const mark = '<!-- kinds -->';

/* PAGES=accept writes the table of docs/api/integrations.md#5. */
it('lists every kind of integration with its settings', () => {
  const [before = '', , after = ''] = readFileSync(page, 'utf8').split(mark);
  const rendered = [before, `\n${render(integrationKinds)}\n`, after].join(mark);
  if (process.env.PAGES === 'accept') writeFileSync(page, rendered);
  expect(readFileSync(page, 'utf8')).toBe(rendered);
});

const render = (kinds: readonly IntegrationKind[]): string =>
  ['| slug | what | settings | events |', '| --- | --- | --- | --- |', ...kinds.map(row)].join('\n');

function row({ slug, profile, tier, fields, events }: IntegrationKind): string {
  const settings = Object.entries(fields).map(([name, { isRequired, isSecret }]) => {
    const written = `\`${name}\`${isSecret ? '\\*' : ''}`;
    return isRequired ? `**${written}**` : written;
  });
  const what = tier ? `${profile}; ${tier} edition` : profile;
  return `| \`${slug}\` | ${what} | ${settings.join(', ')} | ${events.map((event) => `\`${event}\``).join(', ')} |`;
}
