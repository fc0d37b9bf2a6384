/** Intended deviations of answers from the schemas. */
interface Deviation {
  /** File names of the schemas. */
  schema: RegExp;
  /** The path in the answer, with `*` for indexes. */
  at: RegExp;
  rule: string;
  because: string;
}

/** A deviation that no longer occurs fails the test, and so does a difference that is not listed. */
export const deviations: Deviation[] = [
  {
    schema: /./,
    at: /\/avatar_url$/,
    rule: 'type',
    because: 'Null where there is no picture, as user/basic.json has it; no address at an avatar service is made up.',
  },
  {
    schema: /^milestone/,
    at: /\/(start|due)_date$/,
    rule: 'format',
    because: 'Days, as the specification has them (2.9, YYYY-MM-DD), not points in time.',
  },
  {
    schema: /^merge_request/,
    at: /\/milestone(\/(start|due)_date)?$/,
    rule: 'format',
    because: 'Days, as the specification has them (2.9, YYYY-MM-DD), not points in time.',
  },
  {
    schema: /^merge_request/,
    at: /\/milestone$/,
    rule: 'oneOf',
    because: 'What follows from the days of the milestone.',
  },
  {
    schema: /^epic/,
    at: /\/(start|due)_date_from_milestones$/,
    rule: 'format',
    because: 'Days, as the milestones that they come from have.',
  },
  {
    schema: /^merge_request/,
    at: /\/changes_count$/,
    rule: 'type',
    because: 'Null until the changes were counted, which reading a single merge request does.',
  },
  {
    schema: /^remote_mirror/,
    at: /\/(auth_method|host_keys)$/,
    rule: 'additionalProperties',
    because: 'Fields of later releases: how the server signs in at a mirror, and which host keys it expects there.',
  },
  {
    schema: /^members/,
    at: /\/expires_at$/,
    rule: 'format',
    because: 'A day, as clients give it; a membership ends with it, not at a point in time.',
  },
];
