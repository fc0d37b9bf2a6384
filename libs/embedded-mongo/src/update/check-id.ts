import { fieldNames } from '../bson/document';
import { isDocument, Rank, rankOf, type Value } from '../bson/value';
import { MongoError } from '../errors';

/**
 * Refuses invalid values of `_id`.
 * @throws InvalidIdField (53) for arrays and regular expressions, DollarPrefixedFieldName (52) within documents
 */
export function checkId(id: Value): void {
  const rank = rankOf(id);
  if (rank === Rank.Array) throw new MongoError('InvalidIdField', "The '_id' value cannot be of type array");
  if (rank === Rank.RegExp) throw new MongoError('InvalidIdField', "The '_id' value cannot be of type regex");
  if (!isDocument(id)) return;
  const dollar = fieldNames(id).find((name) => name.startsWith('$'));
  if (dollar) {
    throw new MongoError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
  }
}
