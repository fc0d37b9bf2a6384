const fastCheck = require('fast-check');

// `npm test` uses a fixed seed for random values; `npm run test:slow -- fuzz` sets other seeds, and prints them.
fastCheck.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
