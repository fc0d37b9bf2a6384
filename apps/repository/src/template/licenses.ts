import type { License } from '@moothall/contracts';
import texts from 'choosealicense-list/licenses.json';
import type { z } from 'zod';

type LicenseView = z.infer<typeof License>;

/** Values for placeholders in a license; absent values leave the placeholder unchanged. */
export interface Expansion {
  project?: string | undefined;
  fullname?: string | undefined;
}

const licenses = new Map(
  Object.values(texts).map((license): [string, LicenseView] => [
    license.id.toLowerCase(),
    {
      key: license.id.toLowerCase(),
      name: license.title,
      nickname: license.nickname || null,
      popular: license.featured,
      html_url: license.urls.choosealicense,
      source_url: license.urls.opensource,
      description: license.description,
      conditions: license.conditions,
      permissions: license.permissions,
      limitations: license.limitations,
      content: license.body,
    },
  ]),
);

/** By name. */
export const allLicenses: readonly LicenseView[] = [...licenses.values()].sort((a, b) => a.name.localeCompare(b.name));

/** @param key case-insensitive */
export const findLicense = (key: string): LicenseView | undefined => licenses.get(key.toLowerCase());

/** See docs/api/templates.md#2. */
export function expandLicense(license: LicenseView, { project, fullname }: Expansion, year: number): LicenseView {
  const content = license.content
    .replace(/\[(?:year|yyyy)\]|<year>/gi, String(year))
    .replace(/\[fullname\]|\[name of copyright owner\]|<name of author>/gi, (blank) => fullname || blank)
    .replace(/\[project\]|<program>/gi, (blank) => project || blank);
  return { ...license, content };
}
