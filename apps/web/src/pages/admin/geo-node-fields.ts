import type { FieldFacts } from '../../parts/field-list';

const syncTypes = [
  { value: '', label: 'Everything' },
  { value: 'namespaces', label: 'Projects of some groups' },
  { value: 'shards', label: 'Projects of some storages' },
];

/** What a replication node is created with, and what can be changed. */
export const geoNodeFields: readonly FieldFacts[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'url', label: 'URL', hint: 'Where users reach the node.', required: true },
  { name: 'internal_url', label: 'Internal URL', hint: 'Where other nodes reach it. The URL if this field is empty.' },
  { name: 'primary', label: 'Primary', hint: 'The other nodes copy it. There is one.', is: true },
  { name: 'enabled', label: 'Enabled', hint: 'A node that is not enabled does not copy.', is: true },
  { name: 'selective_sync_type', label: 'What the node copies', is: syncTypes },
  { name: 'selective_sync_namespace_ids', label: 'Ids of the copied groups', hint: 'Separated by commas.' },
  { name: 'selective_sync_shards', label: 'Names of the copied storages', hint: 'Separated by commas.' },
  { name: 'sync_object_storage', label: 'Also copy the files of object storage', is: true },
  { name: 'files_max_capacity', label: 'Files that are copied at a time', required: true },
  { name: 'repos_max_capacity', label: 'Repositories that are copied at a time', required: true },
  {
    name: 'container_repositories_max_capacity',
    label: 'Repositories of images that are copied at a time',
    required: true,
  },
  { name: 'verification_max_capacity', label: 'Copies that are verified at a time', required: true },
  { name: 'minimum_reverification_interval', label: 'Days until copies are verified again', required: true },
];
