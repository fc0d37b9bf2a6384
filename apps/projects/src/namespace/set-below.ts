/** Fields of a subdocument as separate updates: `{ 'settings.lfs_enabled': true }`. */
export const below = (field: string, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${field}.${name}`, value]));
