import { z } from 'zod';
import { administrator, del, get, id, nothing, operation, page, put } from '../operation';
import { CustomAttribute } from './user-view';

const attribute = z.object({ id, key: z.string() });

/** Custom attributes of users, for administrators only. Source: clarifications B.8. */
export const listUserAttributes = operation({
  name: 'identity.custom-attributes.list',
  http: get('/users/:id/custom_attributes'),
  access: administrator(),
  input: z.object({ id }),
  output: page(CustomAttribute),
});

export const getUserAttribute = operation({
  name: 'identity.custom-attributes.get',
  http: get('/users/:id/custom_attributes/:key'),
  access: administrator(),
  input: attribute,
  output: CustomAttribute,
});

/** Sets an attribute, new or not. */
export const setUserAttribute = operation({
  name: 'identity.custom-attributes.set',
  http: put('/users/:id/custom_attributes/:key'),
  access: administrator(),
  input: attribute.extend({ value: z.string() }),
  output: CustomAttribute,
});

export const deleteUserAttribute = operation({
  name: 'identity.custom-attributes.delete',
  http: del('/users/:id/custom_attributes/:key'),
  access: administrator(),
  input: attribute,
  output: nothing(),
});
