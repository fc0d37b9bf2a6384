/** Token of what all gateways share. */
export const redis = Symbol('Redis');
