import { z } from 'zod';
import { administrator, del, get, id, nothing, operation, page, put } from '../operation';
import { CustomAttribute } from './user-view';

const attribute = z.object({ id, key: z.string() });

/** See docs/api/users.md#6. */
export const listUserAttributes = operation({
  name: 'identity.custom-attributes.list',
  summary: 'Custom attributes of a user',
  http: get('/users/:id/custom_attributes'),
  access: administrator(),
  input: z.object({ id }),
  output: page(CustomAttribute),
});

export const getUserAttribute = operation({
  name: 'identity.custom-attributes.get',
  summary: 'One custom attribute of a user',
  http: get('/users/:id/custom_attributes/:key'),
  access: administrator(),
  input: attribute,
  output: CustomAttribute,
});

export const setUserAttribute = operation({
  name: 'identity.custom-attributes.set',
  summary: 'Set a custom attribute of a user, new or not',
  http: put('/users/:id/custom_attributes/:key'),
  access: administrator(),
  input: attribute.extend({ value: z.string() }),
  output: CustomAttribute,
});

export const deleteUserAttribute = operation({
  name: 'identity.custom-attributes.delete',
  summary: 'Delete a custom attribute of a user',
  http: del('/users/:id/custom_attributes/:key'),
  access: administrator(),
  input: attribute,
  output: nothing(),
});
