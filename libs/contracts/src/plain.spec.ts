import * as index from './index';
import plain from './plain';

describe('fields of packages', () => {
  it('has every name of the index, as a value', () => {
    expect(Object.keys(plain).sort()).toEqual(Object.keys(index).sort());
    const getters = Object.entries(Object.getOwnPropertyDescriptors(plain)).filter(([, { get }]) => get);
    expect(getters).toEqual([]);
  });
});
