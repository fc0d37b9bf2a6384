import { type Setting, type Settings, type SettingValues, WrongValue } from './setting';

/** Reports all invalid and missing variables; the message has one line for each. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `${problems.length === 1 ? 'A setting is' : 'Settings are'} wrong:\n${problems.map((p) => `  ${p}`).join('\n')}`,
    );
    this.name = 'SettingsError';
  }
}

/**
 * Reads and checks every setting. An empty variable counts as unset, since compose files leave it so.
 * @param env by default that of the process
 * @returns one typed value per setting, under the variable's name
 * @throws SettingsError with every problem
 */
export function readEnv<S extends Settings>(
  settings: S,
  env: Record<string, string | undefined> = process.env,
): SettingValues<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    try {
      values[name] = readOne(setting, env[name]?.trim());
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      problems.push(`${name}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingValues<S>;
}

function readOne(setting: Setting<unknown>, text: string | undefined): unknown {
  if (text) return setting.parse(text);
  if (setting.isRequired) throw new WrongValue(`it is not set and must be ${setting.form.replaceAll('`', '')}`);
  return setting.whenUnset;
}
