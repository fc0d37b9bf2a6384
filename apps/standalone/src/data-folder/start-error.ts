/** Why the server cannot start, as one line for the person who started it. */
export class StartError extends Error {}
