import { ApplicationSettings } from '@moothall/contracts';
import { generalSections, networkSections } from './setting-fields';

it('each setting of the instance is on one page', () => {
  const names = [...generalSections, ...networkSections].flatMap(({ fields }) => fields.map(({ name }) => name));
  expect(names.toSorted()).toEqual(Object.keys(ApplicationSettings.shape).toSorted());
});
