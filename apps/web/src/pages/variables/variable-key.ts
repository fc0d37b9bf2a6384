/** Several variables may have the same key, with different scopes. */
interface VariableKey {
  key: string;
  environment_scope: string;
}

/** Identifies a variable in its forms: their field `of`. */
export const nameOfVariable = ({ key, environment_scope }: VariableKey): string =>
  new URLSearchParams({ key, environment_scope }).toString();

/** The parameters of operations on the variable with that name. */
export function askedByName(name: string) {
  const given = new URLSearchParams(name);
  return {
    key: given.get('key') ?? '',
    filter: { environment_scope: given.get('environment_scope') ?? '' },
  };
}
