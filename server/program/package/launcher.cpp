// The program `adjourn` of the archive: starts lib/adjourn beside it with the loader and the
// libraries there, so that it does not matter which the system has, or whether it has any. Linked
// statically; no shell.
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

// OpenSSL looks for certificates where Debian keeps them; other systems keep them elsewhere.
void name_certificates() {
    for (const char* file :
         {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
          "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"}) {
        if (access(file, R_OK) == 0) {
            setenv("SSL_CERT_FILE", file, 0); // what a person set stays
            return;
        }
    }
}

} // namespace

int main(int count, char** words) {
    char own[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", own, sizeof own);
    if (size <= 0 || size == sizeof own) {
        std::fputs("adjourn: /proc is not there\n", stderr);
        return 1;
    }
    std::string directory(own, static_cast<std::size_t>(size));
    directory.resize(directory.rfind('/'));
    // The loader has the program's name, which the kernel shows as the name of the process. It
    // reads no cache of the system's: what is not in lib/ is not there.
    const std::vector<std::string> before{directory + "/lib/loader/adjourn",
                                          "--inhibit-cache",
                                          "--library-path",
                                          directory + "/lib",
                                          "--argv0",
                                          count > 0 ? words[0] : "adjourn",
                                          directory + "/lib/adjourn"};
    std::vector<const char*> all;
    for (const std::string& word : before) {
        all.push_back(word.c_str());
    }
    for (int i = 1; i < count; ++i) {
        all.push_back(words[i]);
    }
    all.push_back(nullptr);
    name_certificates();
    execv(all[0], const_cast<char* const*>(all.data()));
    std::fprintf(stderr, "adjourn: %s cannot be started: %s\n", all[0], std::strerror(errno));
    return 1;
}
