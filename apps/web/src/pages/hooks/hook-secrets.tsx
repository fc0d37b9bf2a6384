import { hookOptions, invalidRecord, mostOfHook, type SystemHook } from '@moothall/contracts';
import type { SentForm } from '../../forms/sent-form';
import { Check, SecretArea, SecretField } from '../../parts/form';
import { type LineKind, readLines } from './secret-lines';

/*
 * What no page shows of a hook: its tokens, and the values of headers and variables. The fields have names of their own:
 * those with `secret_` are never repeated, and `token` belongs to the form itself.
 */

interface LineFacts extends LineKind {
  label: string;
  /** The label of the box that removes all. */
  removal: string;
  hint: string;
}

const tokens = ['token', 'signing_token'] as const;

const areas: readonly LineFacts[] = [
  {
    parameter: 'custom_headers',
    separator: ':',
    label: 'Custom headers',
    removal: 'Remove all custom headers',
    hint: `The receiver gets them. One on each line, as in Name: value. At most ${mostOfHook}.`,
  },
  {
    parameter: 'url_variables',
    separator: '=',
    label: 'Variables of the URL',
    removal: 'Remove all variables of the URL',
    hint: `In the URL, {name} is replaced by the value. One on each line, as in name=value. At most ${mostOfHook}.`,
  },
];

/** A hook that the form edits. */
export type KnownKeys = Pick<SystemHook, LineKind['parameter']>;

/** The fields of secrets. @param hook undefined in the form for a new one */
export const HookSecrets = ({ hook }: { hook: KnownKeys | undefined }) => {
  const unchanged = 'If this field is empty, the token does not change.';
  return (
    <>
      <SecretField
        name="secret_token"
        label="Secret token"
        hint={hook ? unchanged : 'The receiver gets it in the header X-Gitlab-Token.'}
      />
      {hook && <Check name="remove_token" label="Remove the secret token" value={false} />}
      <SecretField
        name="secret_signing_token"
        label="Signing token"
        hint={`The key of the signature in the header webhook-signature. Without it, the secret token is the key. ${hook ? unchanged : ''}`.trim()}
      />
      {hook && <Check name="remove_signing_token" label="Remove the signing token" value={false} />}
      {areas.map((area) => (
        <SecretLines key={area.parameter} area={area} keys={hook?.[area.parameter] ?? []} />
      ))}
    </>
  );
};

const SecretLines = ({ area, keys }: { area: LineFacts; keys: KnownKeys['custom_headers'] }) => {
  const { parameter, label, removal, hint } = area;
  const set = `Set now: ${keys.map(({ key }) => key).join(', ')}. New lines replace all of them; an empty field keeps them.`;
  return (
    <>
      <SecretArea
        name={`secret_${parameter}`}
        label={label}
        hint={`${hint} Values are secret: no page shows them. ${keys.length > 0 ? set : ''}`.trim()}
        rows={3}
      />
      {keys.length > 0 && <Check name={`remove_${parameter}`} label={removal} value={false} />}
    </>
  );
};

/**
 * The secrets of a sent form, by parameter; without those of empty fields.
 * @throws common.invalid_record, with the names of the fields
 */
export function sentSecrets(sent: SentForm): Record<string, unknown> {
  const read = [
    ...tokens.map((parameter) => sentToken(sent, parameter)),
    ...areas.map((area) => sentLines(sent, area)),
  ];
  const wrong = read.flatMap(({ parameter, problem }) => (problem ? [[`secret_${parameter}`, [problem]]] : []));
  if (wrong.length > 0) throw invalidRecord(Object.fromEntries(wrong));
  return Object.fromEntries(read.flatMap(({ parameter, value }) => (value === undefined ? [] : [[parameter, value]])));
}

/** Of one field. */
interface Read {
  parameter: string;
  /** Undefined to keep the present one. */
  value?: unknown;
  problem?: string | undefined;
}

function sentToken(sent: SentForm, parameter: (typeof tokens)[number]): Read {
  const value = sent.text(`secret_${parameter}`);
  // A new token replaces the old one, whether or not the box is checked.
  if (value === '') return { parameter, ...(sent.flag(`remove_${parameter}`) === 'true' && { value: '' }) };
  const { error } = hookOptions[parameter].safeParse(value);
  return { parameter, value, problem: error && (error.issues[0]?.code === 'too_big' ? 'is too long' : 'is invalid') };
}

function sentLines(sent: SentForm, area: LineFacts): Read {
  const { parameter } = area;
  const { pairs, problems } = readLines(sent.text(`secret_${parameter}`), area);
  if (problems.length > 0) return { parameter, problem: `cannot be saved: ${problems.join('; ')}` };
  // New lines replace the old ones, whether or not the box is checked.
  const isSet = pairs.length > 0 || sent.flag(`remove_${parameter}`) === 'true';
  return { parameter, ...(isSet && { value: pairs }) };
}
