import { renderToString } from 'preact-render-to-string';
import { Named, withoutTurns } from './named';

describe('a name', () => {
  it('is isolated, so that it cannot change the direction of the text around it', () => {
    const shown = renderToString(<Named>{'\u202egnp.<exe>\u2069 أداة'}</Named>);
    expect(shown).toBe('<bdi>gnp.&lt;exe> أداة</bdi>');
  });

  it('has no character that overrides or isolates directions', () =>
    expect(withoutTurns('a\u2066b\u202dc\u2069\u202ed')).toBe('abcd'));
});
