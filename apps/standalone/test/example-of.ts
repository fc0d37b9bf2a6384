import { z } from 'zod';

/** Values in examples, by field name. */
const words: Record<string, unknown> = {
  access_level: 30,
  added: ['docs/crane.md'],
  after: '9a7f3c1e5b2d4860af9c7e1b3d5f60718293a4b5',
  actor_id: 3,
  allow_failure: false,
  author_id: 3,
  before: '3f2c1b0a99887766554433221100ffeeddccbbaa',
  before_sha: '3f2c1b0a99887766554433221100ffeeddccbbaa',
  body: 'Looks good to me, @mia',
  checkout_sha: '9a7f3c1e5b2d4860af9c7e1b3d5f60718293a4b5',
  confidential: false,
  content: '# Cranes',
  default_branch: 'main',
  description: 'It swings too far.',
  discussion_id: 301,
  due_date: '2026-12-01',
  duration: 42.5,
  email: 'lena@example.com',
  error: null,
  expires_at: null,
  failure_reason: null,
  format: 'markdown',
  full_path: 'harbour/crane',
  group_id: null,
  hard_delete: false,
  head_sha: '9a7f3c1e5b2d4860af9c7e1b3d5f60718293a4b5',
  id: 12,
  iid: 4,
  is_empty: false,
  key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx lena@crane',
  merge_commit_sha: null,
  message: 'Slow the crane down',
  milestone_id: null,
  modified: [],
  name: 'crane',
  names: ['signup_enabled'],
  note_id: 302,
  project: null,
  project_id: 7,
  readme_path: 'README.md',
  ref: 'refs/heads/main',
  removed: [],
  runner_id: 2,
  sha: '9a7f3c1e5b2d4860af9c7e1b3d5f60718293a4b5',
  slug: 'cranes',
  source_branch: 'slow-crane',
  stage: 'test',
  stages: ['build', 'test'],
  state: 'active',
  storage: 'default',
  tag: false,
  target_branch: 'main',
  title: 'Slow the crane down',
  token_sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  total_commits_count: 1,
  url: 'https://moothall.example.com/harbour/crane/-/commit/9a7f3c1e5b2d4860af9c7e1b3d5f60718293a4b5',
  user_id: 3,
  username: 'lena',
  version_id: '9a7f3c1e5b2d4860af9c7e1b3d5f60718293a4b5',
  weight: null,
  work_in_progress: false,
};

/** Fields of former values in examples. */
const telling = new Set(['title', 'full_path', 'username', 'access_level']);

const time = '2026-11-23T10:15:00.000Z';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** Data that the schema of an event accepts. */
export const exampleOf = (data: z.ZodType): unknown =>
  exampleFor('', z.toJSONSchema(data, { io: 'input', unrepresentable: 'any' }) as Schema);

function exampleFor(name: string, schema: Schema): unknown {
  const { type, enum: values, const: value, anyOf, properties, items } = schema;
  if (properties) {
    const shown = Object.entries(properties).filter(([field]) => name !== 'before' || telling.has(field));
    return Object.fromEntries(shown.map(([field, one]) => [field, exampleFor(field, one)]));
  }
  if (values) return values[0];
  if (value !== undefined) return value;
  if (fits(words[name], schema)) return words[name];
  if (/_at$|timestamp$/.test(name)) return time;
  if (/_ids$/.test(name)) return [3];
  if (anyOf) return exampleFor(name, anyOf[0] ?? {});
  if (items) return [exampleFor(name, items)];
  if (type === 'integer') return 12;
  return type === 'boolean' ? false : 'text';
}

/** Whether a value has a type of the field: an id may be a number or a name. */
function fits(word: unknown, { type, anyOf }: Schema): boolean {
  if (anyOf) return anyOf.some((one) => fits(word, one));
  const types = [type].flat().map((one) => (one === 'integer' ? 'number' : one));
  return types.includes(word === null ? 'null' : Array.isArray(word) ? 'array' : typeof word);
}
