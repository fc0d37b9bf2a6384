import { integrationKind, integrationKinds } from '.';

const fields = integrationKinds.flatMap(({ slug, fields: all }) =>
  Object.entries(all).map(([name, field]) => ({ slug, name, field })),
);

it('has each slug once, under both ways of writing it', () => {
  const slugs = integrationKinds.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(integrationKind('drone_ci')).toBe(integrationKind('drone-ci'));
  expect(integrationKind('nothing')).toBeUndefined();
});

// They are all parameters of one operation.
it('has under one name settings of one form', () => {
  const forms = new Map(fields.map(({ name, field }) => [name, field]));
  const others = fields.filter(({ name, field }) => {
    const { form, maxLength, choices } = forms.get(name)!;
    const isWeb = ['link', 'address'].includes(form) && ['link', 'address'].includes(field.form);
    return !(isWeb || form === field.form) || maxLength !== field.maxLength || choices !== field.choices;
  });
  expect(others.map(({ slug, name }) => `${slug} ${name}`)).toEqual([]);
});

it('treats credentials for other systems as secret', () => {
  const open = fields.filter(
    ({ name, field }) => /^(token|password|webhook|.*_key)$/.test(name) && name !== 'build_key' && !field.isSecret,
  );
  expect(open.map(({ slug, name }) => `${slug} ${name}`)).toEqual([]);
});

it('lists all kinds in a snapshot', () => {
  const shown = integrationKinds.map(({ slug, profile, fields: all, events }) => {
    const names = Object.entries(all).map(
      ([name, { isRequired, isSecret }]) => `${name}${isRequired ? '!' : ''}${isSecret ? '*' : ''}`,
    );
    return `${slug} (${profile}): ${names.join(' ')} | ${events.join(' ')}`;
  });
  expect(shown).toMatchSnapshot();
});
