import { removeTemporaryFolder, temporaryFolder } from './temporary-folder';

/** A {@link temporaryFolder} that is created when it is first needed. */
export class OwnFolder {
  private made?: string;

  /**
   * @param name its purpose, in one word
   * @param where like in {@link temporaryFolder}
   */
  constructor(
    private readonly name: string,
    private readonly where?: string | undefined,
  ) {}

  path(): string {
    this.made ??= temporaryFolder(this.name, this.where);
    return this.made;
  }

  async remove(): Promise<void> {
    if (this.made) await removeTemporaryFolder(this.made);
  }
}
