const fastCheck = require('fast-check');

// `npm test` draws the same values each time; `npm run test:slow -- fuzz` sets other seeds, and prints them.
fastCheck.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
