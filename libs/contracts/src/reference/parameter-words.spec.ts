import { z } from 'zod';
import { operations } from '../operations';
import { parameterWords } from './parameter-words';

const parameters = operations
  .filter(({ routes }) => routes.length > 0)
  .flatMap(({ name, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    return Object.entries(properties).map(([parameter, schema]) => ({
      parameter,
      where: `${name}: ${parameter}`,
      isDescribed: typeof schema === 'object' && schema.description !== undefined,
    }));
  });
const undescribed = parameters.filter(({ isDescribed }) => !isDescribed);

it('describes every parameter', () => {
  expect(undescribed.filter(({ parameter }) => !(parameter in parameterWords)).map(({ where }) => where)).toEqual([]);
});

it('has no texts for unknown parameters', () => {
  const used = new Set(undescribed.map(({ parameter }) => parameter));
  expect(Object.keys(parameterWords).filter((name) => !used.has(name))).toEqual([]);
});
