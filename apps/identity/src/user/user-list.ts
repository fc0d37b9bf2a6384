import { type Page, window } from '@moothall/contracts';
import { countUpTo } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { User } from './user.schema';
import { namedLike, withAddress } from './user-filter';

/** So few matches are sorted in memory; more are met soon enough on a walk in the order asked for. */
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

/** Lists of users among very many, from indexes alone. */
@Injectable()
export class UserList {
  constructor(@InjectModel('User') private readonly users: Model<User>) {}

  async page(
    filter: QueryFilter<User>,
    order: ListOrder,
    input: { page: number; per_page: number; search?: string | undefined },
  ): Promise<Page<User>> {
    // Nearly everybody is active and so on: where a text is searched for, that narrows most.
    const narrowest = input.search && !input.search.includes('@') ? searchIndex : undefined;
    const total = await this.count(filter, narrowest);
    if (total === 0) return { items: [], total };
    const { skip, limit } = window(input);
    const query = this.users.find(filter).sort(sortOf(order)).skip(skip).limit(limit);
    // How many match is known by now, and decides which index finds the page sooner: the filter's or the order's.
    const isMany = total === undefined || total > fewMatches;
    const hint = isMany ? indexOf(order) : narrowest;
    return { items: await (hint ? query.hint(hint) : query).lean<User[]>(), total };
  }

  /** Number of matches; undefined above 10,000, and for a search above 1,000: there each record has to be read. */
  private async count(filter: QueryFilter<User>, hint?: Record<string, 1>): Promise<number | undefined> {
    if (!hint) return countUpTo(this.users, filter);
    const count = await this.users
      .countDocuments(filter)
      .limit(fewMatches + 1)
      .hint(hint);
    return count > fewMatches ? undefined : count;
  }

  /** A part of name or username, or a whole address. Few have an address in their name: these are found beforehand. */
  async matching(search: string, isAdmin: boolean): Promise<QueryFilter<User>> {
    if (!search.includes('@')) return namedLike(search);
    const ids = await Promise.all([this.someIds(withAddress(search, isAdmin)), this.someIds(namedLike(search))]);
    return { _id: { $in: ids.flat() } };
  }

  /** Ids of the first thousand that match. */
  private async someIds(filter: QueryFilter<User>): Promise<number[]> {
    const users = await this.users.find(filter, { _id: 1 }).limit(fewMatches).lean<{ _id: number }[]>();
    return users.map(({ _id }) => _id);
  }

  /** Users in order, some hundreds at a time, for filters that only another service can judge. */
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

const directionOf = (order: ListOrder): 1 | -1 => (order.sort === 'asc' ? 1 : -1);

function sortOf(order: ListOrder): Record<string, 1 | -1> {
  const direction = directionOf(order);
  return { [sortFields[order.order_by]]: direction, _id: direction };
}

function indexOf(order: ListOrder): Record<string, 1> {
  const field = sortFields[order.order_by];
  // Ids and usernames are unique, so their indexes need no second field.
  return field === '_id' || field === 'usernameKey' ? { [field]: 1 } : { [field]: 1, _id: 1 };
}
