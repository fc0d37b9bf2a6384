import type { GeoNode } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { GeoSettings } from '../settings/settings';
import { GeoNodes } from './node.repository';
import type { GeoNodeDocument } from './node.schema';

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Views of replication nodes. */
@Injectable()
export class GeoNodeViews {
  private readonly externalUrl: string;

  constructor(
    private readonly nodes: GeoNodes,
    @Inject(settingsToken) settings: GeoSettings,
  ) {
    this.externalUrl = withoutSlash(settings.EXTERNAL_URL);
  }

  show(node: GeoNodeDocument): GeoNode {
    return {
      id: node._id,
      name: node.name,
      url: node.url,
      internal_url: node.internalUrl ?? node.url,
      primary: node.isPrimary,
      enabled: node.isEnabled,
      current: this.nodes.isCurrent(node),
      files_max_capacity: node.filesMaxCapacity,
      repos_max_capacity: node.reposMaxCapacity,
      verification_max_capacity: node.verificationMaxCapacity,
      container_repositories_max_capacity: node.containerRepositoriesMaxCapacity,
      selective_sync_type: node.selectiveSyncType,
      selective_sync_shards: node.selectiveSyncShards,
      selective_sync_namespace_ids: node.selectiveSyncNamespaceIds,
      minimum_reverification_interval: node.minimumReverificationIntervalDays,
      sync_object_storage: node.syncsObjectStorage,
      clone_protocol: 'http',
      web_edit_url: `${this.externalUrl}/admin/geo/nodes/${node._id}/edit`,
      ...(!node.isPrimary && { web_geo_projects_url: `${withoutSlash(node.url)}/admin/geo/projects` }),
      _links: {
        self: this.address(node),
        status: `${this.address(node)}/status`,
        repair: `${this.address(node)}/repair`,
      },
    };
  }

  address({ _id }: Pick<GeoNodeDocument, '_id'>): string {
    return `${this.externalUrl}/api/v4/geo_nodes/${_id}`;
  }
}
