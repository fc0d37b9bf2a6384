import { z } from 'zod';
import { CustomAttribute } from '../identity/user-view';
import { administrator, del, errors, get, nothing, ofGroups, ofProjects, operation, page, put } from '../operation';

export const customAttributeErrors = errors('custom_attribute', {
  tooMany: {
    status: 400,
    message: '400 Bad request - at most 100 custom attributes',
    means: 'A project or group has as many as it may.',
  },
});

/** Notes of administrators on projects and groups, hidden from others. See docs/api/projects.md#6. */
function attributesOf({ kind, path, ref }: typeof ofProjects | typeof ofGroups) {
  const one = { ...ref, key: z.string().min(1).max(255) };
  return {
    list: operation({
      name: `projects.${kind}-custom-attributes.list`,
      summary: `Custom attributes of a ${kind}`,
      http: get(`${path}/custom_attributes`),
      access: administrator(),
      input: z.object(ref),
      output: page(CustomAttribute),
    }),
    get: operation({
      name: `projects.${kind}-custom-attributes.get`,
      summary: `One custom attribute of a ${kind}`,
      refusals: ['common.not_found'],
      http: get(`${path}/custom_attributes/:key`),
      access: administrator(),
      input: z.object(one),
      output: CustomAttribute,
    }),
    set: operation({
      name: `projects.${kind}-custom-attributes.set`,
      summary: `Set a custom attribute of a ${kind}, new or not`,
      refusals: ['custom_attribute.too_many'],
      http: put(`${path}/custom_attributes/:key`),
      access: administrator(),
      input: z.object({ ...one, value: z.string().min(1).max(2000) }),
      output: CustomAttribute,
    }),
    delete: operation({
      name: `projects.${kind}-custom-attributes.delete`,
      summary: `Delete a custom attribute of a ${kind}`,
      refusals: ['common.not_found'],
      http: del(`${path}/custom_attributes/:key`),
      access: administrator(),
      input: z.object(one),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectAttributes,
  get: getProjectAttribute,
  set: setProjectAttribute,
  delete: deleteProjectAttribute,
} = attributesOf(ofProjects);

export const {
  list: listGroupAttributes,
  get: getGroupAttribute,
  set: setGroupAttribute,
  delete: deleteGroupAttribute,
} = attributesOf(ofGroups);
