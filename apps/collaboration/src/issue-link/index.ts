import type { ModelDefinition } from '@nestjs/mongoose';
import { IssueLinkOperations } from './issue-link.operations';
import { IssueLinks } from './issue-link.repository';
import { issueLinkSchema } from './issue-link.schema';

export const issueLinkCollections: ModelDefinition[] = [{ name: 'IssueLink', schema: issueLinkSchema }];
export const issueLinkProviders = [IssueLinks];
export const issueLinkControllers = [IssueLinkOperations];
