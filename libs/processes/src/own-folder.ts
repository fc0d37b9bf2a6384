import { removeTemporaryFolder, temporaryFolder } from './temporary-folder';

/** A {@link temporaryFolder} that is made when it is first needed. */
export class OwnFolder {
  private made?: string;

  /** @param name what is kept there, in one word */
  constructor(private readonly name: string) {}

  path(): string {
    this.made ??= temporaryFolder(this.name);
    return this.made;
  }

  async remove(): Promise<void> {
    if (this.made) await removeTemporaryFolder(this.made);
  }
}
