import type { QueryFilter } from 'mongoose';
import type { ProjectDocument } from './project.schema';

/** Each word must occur in name, path or description. */
export function searchFilter(search: string, withNamespaces: boolean): QueryFilter<ProjectDocument> {
  const fields = ['name', withNamespaces ? 'fullPath' : 'path', 'description'];
  const words = search.split(/\s+/).filter((word) => word !== '');
  return {
    $and: words.map((word) => ({
      $or: fields.map((field) => ({ [field]: { $regex: escapeRegex(word), $options: 'i' } })),
    })),
  };
}

export const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
