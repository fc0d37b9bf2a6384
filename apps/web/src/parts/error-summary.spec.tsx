import { invalidRecord } from '@moothall/contracts';
import { renderToString } from 'preact-render-to-string';
import { RefusedForm } from '../forms/refused-form';
import { SentForm } from '../forms/sent-form';
import type { Visit } from '../visit/visits';
import { withSummary } from './error-summary';
import { Check, Choices, Form, TextField } from './form';

const visit = { viewer: { csrf: 'x' } } as Visit;

/** A page whose form was refused. @param name of the form that was sent */
function shown(problems: Record<string, string[]>, name = 'new') {
  const refused = new RefusedForm(new SentForm({ form: name, expires_at: 'soon' }), invalidRecord(problems));
  const address = { path: '/a', query: new URLSearchParams(), refused };
  const body = (
    <Form visit={visit} address={address} name="new">
      <TextField name="expires_at" label="Expires on" />
      <Choices name="scopes" label="Rights" values={[]} options={[]} />
      <Check name="run_untagged" label="Runs jobs without tags" hint="All jobs" value={false} />
    </Form>
  );
  return renderToString(<main>{withSummary({ title: 'New', body }, refused).body}</main>);
}

it('has the labels of fields at the top, and the names of parameters without a field', () => {
  const text = shown({ expires_at: ['is invalid'], scopes: ['are empty'], tag_list: ['is too long'] });
  expect(text).toContain('role="alert">Expires on is invalid. Rights are empty. Tag list is too long.<');
});

it('has the problem of a box at the box', () => {
  const text = shown({ run_untagged: ['is refused'] });
  expect(text).toContain('<p id="new--run_untagged-problem" class="wrong">Runs jobs without tags is refused.</p>');
  expect(text).toMatch(/aria-describedby="new--run_untagged-hint new--run_untagged-problem" aria-invalid="true"/);
  expect(shown({ expires_at: ['is invalid'] })).toMatch(/aria-describedby="new--run_untagged-hint"\/?>/);
});

it('has what was typed only if the page has no such form', () => {
  expect(shown({ base: ['No'] })).not.toContain('What you typed');
  expect(shown({ base: ['No'] }, 'other')).toContain('What you typed');
});
