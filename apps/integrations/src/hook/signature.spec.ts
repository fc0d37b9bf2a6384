import { signatureOf, uuidOf } from './signature';

it('signs as Standard Webhooks does', () => {
  // The example of the specification's own libraries.
  const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  expect(signatureOf(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

it('makes UUIDs that are the same each time', () => {
  const made = uuidOf('end of note 5');
  expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidOf('end of note 5')).toBe(made);
  expect(uuidOf('end of note 6')).not.toBe(made);
  expect(uuidOf(made)).toBe(made);
});
