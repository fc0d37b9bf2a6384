import { present } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { IncomingFile } from '../git/read/incoming';
import type { PushRule } from '../push-rule/push-rule.schema';
import { PatternMatcher } from './pattern-matcher';
import { PushRefused } from './push-refused';
import { isSecretFile } from './secret-files';

const mebibyte = 1024 ** 2;

/** Whether a rule requires reading files. */
export const concernsFiles = (rule: PushRule): boolean =>
  rule.preventSecrets || Boolean(rule.fileNameRegex) || rule.maxFileSize > 0;

/** Checks files against the rules. */
@Injectable()
export class FileChecks {
  constructor(private readonly matcher: PatternMatcher) {}

  /**
   * @param sizes of contents, by id
   * @throws PushRefused for the first file that breaks a rule
   */
  async require(
    files: readonly IncomingFile[],
    rule: PushRule,
    sizes: ReadonlyMap<string, number>,
    who: string,
  ): Promise<void> {
    const added = files.filter(({ isNew }) => isNew).map(({ path }) => path);
    const secret = rule.preventSecrets ? added.find(isSecretFile) : undefined;
    if (secret !== undefined) throw new PushRefused(`File name ${secret} was prohibited, as such files hold secrets.`);
    if (rule.fileNameRegex && added.length > 0) await this.requireNames(added, rule.fileNameRegex, who);
    const most = rule.maxFileSize * mebibyte;
    const large = files.find(({ blobId }) => blobId !== null && (sizes.get(blobId) ?? 0) > most);
    if (most > 0 && large)
      throw new PushRefused(
        `File "${large.path}" is larger than the allowed size of ${rule.maxFileSize} MiB. Use Git LFS to manage this file.`,
      );
  }

  private async requireNames(paths: readonly string[], pattern: string, who: string): Promise<void> {
    const found = (await this.matcher.find({ pattern, isMultiline: false, texts: paths }, who)).indexOf(true);
    if (found >= 0) {
      const path = present(paths[found], 'a path that was looked at');
      throw new PushRefused(`File name ${path} was prohibited by the pattern '${pattern}'.`);
    }
  }
}
