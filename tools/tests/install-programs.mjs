/** A process of its own, since apt takes a minute in which other things can be done. */
import { installTestPrograms } from '../test-programs.mjs';

installTestPrograms();
