#!/bin/sh
# Creates the secrets for deploy/compose.yaml in the folder `secrets` beside it. Existing files stay unchanged: back them up,
# above all SECRET_KEY, which encrypts stored credentials.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder/ssh-host-keys" "$folder/registry"
random() { openssl rand -base64 33 | tr '+/' '-_'; }

if [ ! -e "$folder/secrets.env" ]; then
  {
    for name in SECRET_KEY TICKET_KEY REDIS_PASSWORD REGISTRY_NOTIFICATION_SECRET S3_ACCESS_KEY S3_SECRET_KEY ROOT_PASSWORD; do
      echo "$name=$(random)"
    done
    echo "ROOT_TOKEN=glpat-$(openssl rand -hex 10)"
    for user in GATEWAY IDENTITY PROJECTS REPOSITORY COLLABORATION CI REGISTRY SECURITY DELIVERY GEO INTEGRATIONS WEB OPERATOR; do
      echo "NATS_PASSWORD_$user=$(random)"
    done
  } > "$folder/secrets.env.part"
  mv "$folder/secrets.env.part" "$folder/secrets.env"
fi
for kind in ed25519 ecdsa rsa; do
  key="$folder/ssh-host-keys/ssh_host_${kind}_key"
  [ -e "$key" ] || ssh-keygen -q -N '' -C moothall -t "$kind" -f "$key"
done
# The key signs tokens for the container registry, which verifies them with the certificate.
if [ ! -e "$folder/registry/token-key.pem" ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -sha256 -days 3650 -subj /CN=moothall \
    -keyout "$folder/registry/key.part" -out "$folder/registry/token-certificate.pem" 2> /dev/null
  cat "$folder/registry/token-certificate.pem" >> "$folder/registry/key.part"
  mv "$folder/registry/key.part" "$folder/registry/token-key.pem"
fi
# Processes in containers run as user 1000; root makes the files readable for that user only, other users are 1000 themselves
# or use ACLs.
[ "$(id -u)" != 0 ] || chown -R 1000:1000 "$folder"
