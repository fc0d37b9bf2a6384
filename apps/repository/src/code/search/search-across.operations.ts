import {
  type BlobMatch,
  type CommitMatch,
  type ContextOf,
  type ParsedOf,
  searchBlobs,
  searchCommits,
  searchGroupBlobs,
  searchGroupCommits,
  searchGroupWikiBlobs,
  searchProjectBlobs,
  searchProjectCommits,
  searchProjectWikiBlobs,
  searchWikiBlobs,
  type WikiBlobMatch,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { SearchEach } from './search-each';

/** Searches code, wikis and commits of many projects, one project after the other. See docs/api/search.md#10. */
@Controller()
export class SearchAcross {
  constructor(private readonly each: SearchEach) {}

  @Handles(searchBlobs)
  async blobs(context: ContextOf<typeof searchBlobs>, input: ParsedOf<typeof searchBlobs>) {
    return this.each.search<BlobMatch>(searchProjectBlobs, context, input);
  }

  @Handles(searchGroupBlobs)
  async groupBlobs(context: ContextOf<typeof searchGroupBlobs>, input: ParsedOf<typeof searchGroupBlobs>) {
    return this.each.search<BlobMatch>(searchProjectBlobs, context, input);
  }

  @Handles(searchWikiBlobs)
  async wikiBlobs(context: ContextOf<typeof searchWikiBlobs>, input: ParsedOf<typeof searchWikiBlobs>) {
    return this.each.search<WikiBlobMatch>(searchProjectWikiBlobs, context, input);
  }

  @Handles(searchGroupWikiBlobs)
  async groupWikiBlobs(context: ContextOf<typeof searchGroupWikiBlobs>, input: ParsedOf<typeof searchGroupWikiBlobs>) {
    return this.each.search<WikiBlobMatch>(searchProjectWikiBlobs, context, input);
  }

  @Handles(searchCommits)
  async commits(context: ContextOf<typeof searchCommits>, input: ParsedOf<typeof searchCommits>) {
    return this.each.search<CommitMatch>(searchProjectCommits, context, input);
  }

  @Handles(searchGroupCommits)
  async groupCommits(context: ContextOf<typeof searchGroupCommits>, input: ParsedOf<typeof searchGroupCommits>) {
    return this.each.search<CommitMatch>(searchProjectCommits, context, input);
  }
}
