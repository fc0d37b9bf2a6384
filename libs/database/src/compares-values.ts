const operators = new Set(['$and', '$or', '$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$all', '$elemMatch']);

/**
 * Whether all conditions of a filter compare fields with values or ranges, as indexes do. Patterns, negations and
 * expressions may need every document of a collection.
 */
export function comparesValues(filter: object): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name.startsWith('$') && !operators.has(name)) return false;
    return isValue(condition);
  });
}

function isValue(condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null || condition instanceof Date) return true;
  if (condition instanceof RegExp) return false;
  if (Array.isArray(condition)) return condition.every(isValue);
  const isPlain = Object.getPrototypeOf(condition) === Object.prototype;
  // Other types, such as a pattern of the driver, may need every document, too.
  return isPlain && comparesValues(condition);
}
