package moothall

import "testing"

// An example: the server is there, with what its seed says.
func TestStart(t *testing.T) {
	server := Start(t, Options{Seed: "testdata/seed.yaml"})
	if server.URL == "" || server.Token == "" || server.Seed.Users["alice"] == 0 {
		t.Fatalf("the server printed %+v", server)
	}
}
