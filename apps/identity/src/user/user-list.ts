import { type Page, window } from '@moothall/contracts';
import { countUpTo, findLongPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { User } from './user.schema';
import { namedLike, withAddress } from './user-filter';

/** Up to this number, matches are sorted in memory; more matches are found quickly on a walk in the requested order. */
const fewMatches = 1000;
const batchSize = 500;
const searchIndex = { searchKeys: 1 } as const;

const sortFields = {
  id: '_id',
  name: 'nameKey',
  username: 'usernameKey',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const;

export interface ListOrder {
  order_by: keyof typeof sortFields;
  sort: 'asc' | 'desc';
}

/** Lists users from indexes alone, among very many. */
@Injectable()
export class UserList {
  constructor(@InjectModel('User') private readonly users: Model<User>) {}

  async page(
    filter: QueryFilter<User>,
    order: ListOrder,
    input: { page: number; per_page: number; search?: string | undefined },
  ): Promise<Page<User>> {
    if (Object.keys(filter).length === 0) return findLongPage(this.users, filter, sortOf(order), input);
    // Nearly all users are active: a searched text is the most selective filter.
    const narrowest = input.search && !input.search.includes('@') ? searchIndex : undefined;
    const total = await this.count(filter, narrowest);
    if (total === 0) return { items: [], total };
    const { skip, limit } = window(input);
    const query = this.users.find(filter).sort(sortOf(order)).skip(skip).limit(limit);
    // The number of matches is known by now, and decides whether the filter's or the order's index is faster.
    const isMany = total === undefined || total > fewMatches;
    const hint = isMany ? indexOf(order) : narrowest;
    return { items: await (hint ? query.hint(hint) : query).lean<User[]>(), total };
  }

  /** Number of matches; undefined above 10,000, and for a search above 1,000, because that reads each record. */
  private async count(filter: QueryFilter<User>, hint?: Record<string, 1>): Promise<number | undefined> {
    if (!hint) return countUpTo(this.users, filter);
    const count = await this.users
      .countDocuments(filter)
      .limit(fewMatches + 1)
      .hint(hint);
    return count > fewMatches ? undefined : count;
  }

  /** A part of name or username, or a whole address. Few users have an address in their name: these are found first. */
  async matching(search: string, isAdmin: boolean): Promise<QueryFilter<User>> {
    if (!search.includes('@')) return namedLike(search);
    const ids = await Promise.all([this.someIds(withAddress(search, isAdmin)), this.someIds(namedLike(search))]);
    return { _id: { $in: ids.flat() } };
  }

  /** Ids of the first thousand matches. */
  private async someIds(filter: QueryFilter<User>): Promise<number[]> {
    const users = await this.users.find(filter, { _id: 1 }).limit(fewMatches).lean<{ _id: number }[]>();
    return users.map(({ _id }) => _id);
  }

  /** Users in order, in batches, for filters that another service decides. */
  async *batches(filter: QueryFilter<User>, order: ListOrder): AsyncIterable<User[]> {
    const cursor = this.users
      .find(filter)
      .sort(sortOf(order))
      .hint(indexOf(order))
      .lean<User[]>()
      .cursor({ batchSize });
    let batch: User[] = [];
    for await (const user of cursor) {
      batch.push(user);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

/** The index of an order. Ids and usernames are unique, so theirs have no second field. */
function indexOf(order: ListOrder): Record<string, 1> {
  const field = sortFields[order.order_by];
  return field === '_id' || field === 'usernameKey' ? { [field]: 1 } : { [field]: 1, _id: 1 };
}

/** The fields of the index and no others: MongoDB sorts in memory by a field that the index does not have. */
function sortOf(order: ListOrder): Record<string, 1 | -1> {
  const direction = order.sort === 'asc' ? 1 : -1;
  return Object.fromEntries(Object.keys(indexOf(order)).map((field) => [field, direction]));
}
