import { SentForm } from '../forms/sent-form';
import { pictureIn } from './picture-field';

const file = { ticket: 'signed', sha256: 'a' };

describe('the picture of a sent form', () => {
  it('is a chosen file, also if the present one is to be removed', () => {
    expect(pictureIn(new SentForm({}, { logo: file }), 'logo')).toEqual({ logo: { ticket: 'signed' } });
    const both = new SentForm({ remove_logo: '1' }, { logo: file });
    expect(pictureIn(both, 'logo')).toEqual({ logo: { ticket: 'signed' } });
  });

  it('is removed by its box alone', () => {
    expect(pictureIn(new SentForm({ remove_logo: '1' }, { avatar: file }), 'logo')).toEqual({ logo: '' });
  });

  it.each([{}, { logo: 'x' }, { logo: { ticket: 'x' } }, { remove_logo: '0' }, { remove_avatar: '1' }])(
    'stays as it is after %j',
    (fields) => expect(pictureIn(new SentForm(fields), 'logo')).toEqual({}),
  );
});
