/** The services whose integration tests the tools run with another database. */
export const services = [
  'identity',
  'projects',
  'repository',
  'collaboration',
  'ci',
  'registry',
  'security',
  'delivery',
  'geo',
  'integrations',
];
