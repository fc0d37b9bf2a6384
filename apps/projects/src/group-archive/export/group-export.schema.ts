import { Schema } from 'mongoose';
import { type ArchiveExport, archiveExportFields } from '../../archive/archive-export';

export interface GroupExportDocument extends ArchiveExport {
  groupId: number;
  groupsDone: number;
  groupsTotal: number;
}

export const groupExportSchema = new Schema<GroupExportDocument>(
  {
    ...archiveExportFields,
    groupId: { type: Number, required: true },
    groupsDone: { type: Number, default: 0 },
    groupsTotal: { type: Number, default: 0 },
  },
  { collection: 'group_exports', timestamps: { createdAt: true, updatedAt: false } },
);
// The latest export of a group.
groupExportSchema.index({ groupId: 1, _id: -1 });
// Unfinished and expired exports.
groupExportSchema.index({ status: 1, createdAt: 1 });
