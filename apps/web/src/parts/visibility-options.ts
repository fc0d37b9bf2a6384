/** Who sees a project or a group, for a `Choice`. */
export const visibilityOptions = [
  { value: 'private', label: 'Private: its members' },
  { value: 'internal', label: 'Internal: all users of this server' },
  { value: 'public', label: 'Public: everybody' },
];
