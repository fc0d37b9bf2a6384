/** Installs the programs that `npm test` uses. tools/test.mjs starts it beside the checks. */
import { installTestPrograms } from '../test-programs.mjs';

installTestPrograms();
